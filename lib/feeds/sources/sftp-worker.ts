import { workerData } from 'node:worker_threads';
import { answer } from '../threads/answer.ts';
import { fetchBySftp, type SftpJob } from './sftp-session.ts';

/** The thread of one SFTP session: answers. */
answer(() => fetchBySftp(workerData as SftpJob));

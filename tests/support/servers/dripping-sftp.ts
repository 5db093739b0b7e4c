import { workerData } from 'node:worker_threads';
import { serveFile, sftpServer } from './sftp-server.ts';

/** The thread of an SFTP server that answers every read with a single byte, so that a file costs a packet a byte. */

const { keyFile, port } = workerData as { keyFile: string; port: number };
const server = await sftpServer(keyFile, (sftp) => serveFile(sftp, 50_000_000, () => Buffer.from('a')));
server.listen(port, '127.0.0.1');

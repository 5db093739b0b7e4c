import { workerData } from 'node:worker_threads';
import { attributes, type SftpStream, sftpServer } from './sftp-server.ts';

/** The thread of an SFTP server that answers every read with a single byte, so that a file costs a packet a byte. */

const { keyFile, port } = workerData as { keyFile: string; port: number };
const ANNOUNCED = attributes(50_000_000);

function serve(sftp: SftpStream): void {
  sftp.on('REALPATH', (id: number, path: string) =>
    sftp.name(id, [{ filename: path, longname: path, attrs: ANNOUNCED }]),
  );
  for (const name of ['STAT', 'LSTAT', 'FSTAT']) sftp.on(name, (id: number) => sftp.attrs(id, ANNOUNCED));
  sftp.on('OPEN', (id: number) => sftp.handle(id, Buffer.from('h')));
  sftp.on('READ', (id: number) => sftp.data(id, Buffer.from('a')));
}

const server = await sftpServer(keyFile, serve);
server.listen(port, '127.0.0.1');

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mailer, MailFailure } from './mailer.ts';
import { toMessage } from './to-message.ts';

/** Mails as files that any mail program opens: what a machine without a mail server does with them. */
export function folderMailer(folder: string): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const eml = await createTransport({ streamTransport: true, buffer: true }).sendMail({
        ...toMessage(mail, 'leads@localhost'),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      // A mail that is sent twice is one file.
      const path = join(folder, `${mail.id.replace(/[^\w.-]/g, '_')}.eml`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(path, eml.message);
      } catch (error) {
        throw new MailFailure('folder_unwritable', error);
      }
    },
  };
}

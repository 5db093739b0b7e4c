import { expect, test, vi } from 'vitest';
import { createPorts } from '../lib/connect.ts';
import { readEnv } from '../lib/env.ts';
import { PRODUCTION } from './support/samples/production-env.ts';

const SMTP = { SMTP_URL: 'smtps://a:b@smtp.example', MAIL_FROM: 'leads@trucks.example' };
const S3 = { S3_BUCKET: 'b', S3_REGION: 'r', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };

function startLines(env: Record<string, string>): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    createPorts(readEnv({ ...PRODUCTION, ...env }));
    return write.mock.calls.map(([line]) => String(line)).join('');
  } finally {
    write.mockRestore();
  }
}

test('a production deployment says at the start what it lacks', () => {
  const lines = startLines({});
  for (const name of ['not_configured', 'S3_BUCKET', 'SMTP_URL', 'PUBLIC_URL']) expect(lines).toContain(name);
});

test('one that lacks nothing says nothing', () => {
  expect(startLines({ ...SMTP, ...S3, PUBLIC_URL: 'https://trucks.example' })).toBe('');
});

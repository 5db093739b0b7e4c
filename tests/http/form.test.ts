import { describe, expect, test } from 'vitest';
import { readForm } from '../../lib/http/pages/form.ts';

const MIB = 1024 * 1024;

const post = (body: string | FormData, type?: string) =>
  readForm(
    new Request('http://localhost/', { method: 'POST', body, headers: type ? { 'content-type': type } : {} }),
    4 * MIB,
  );

const part = (headers: string) => `--x\r\nContent-Disposition: form-data; name="a"${headers}\r\n\r\n\r\n`;

describe('forms with a file', () => {
  test('hold a file and what is chosen for 500 columns', async () => {
    const form = new FormData();
    for (let at = 0; at < 500; at += 1) {
      form.append('columns', `column ${at}`);
      form.append('targets', 'guess');
    }
    form.append('file', new File(['vin\r\n--x\r\n'], 'lot.csv'));
    const values = await post(form);
    expect(values.get('columns')).toHaveLength(500);
    expect(values.get('file')).toHaveLength(1);
  });

  test.each([
    ['too many parts', part('; filename=""').repeat(1_100)],
    ['too many headers', part('\r\na:'.repeat(50_000))],
    ['headers without an end', `--x\r\n${'a:\r\n'.repeat(50_000)}`],
  ])('are refused for %s before they are parsed', async (_, parts) => {
    const answer = post(`${parts}--x--\r\n`, 'multipart/form-data; boundary=x');
    await expect(answer).rejects.toMatchObject({ details: { reason: 'too_many_values' } });
  });

  test.each([
    '',
    '; boundary=x, text/plain',
    '; boundary=',
    '; boundary="a b"',
    '; boundary=x; boundary=y',
    '; charset=x; boundary=x',
  ])('are refused where the boundary could be read in two ways: %s', async (parameters) => {
    const answer = post(`${part('')}--x--\r\n`, `multipart/form-data${parameters}`);
    await expect(answer).rejects.toMatchObject({ details: { reason: 'malformed' } });
  });
});

import { expect, test, vi } from 'vitest';
import { BodyFault, readJson } from '../../../lib/http/input/body.ts';

const MIB = 1024 * 1024;

/** A request whose body of so many MiB arrives in chunks, its length undeclared. */
function chunked(mebibytes: number) {
  const cancelled = vi.fn();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === mebibytes) controller.close();
      else controller.enqueue(new Uint8Array(MIB).fill(32));
      sent += 1;
    },
    cancel: cancelled,
  });
  // A body that is a stream wants `duplex`, which the types do not know.
  const init = { method: 'POST', body, duplex: 'half' };
  return { request: new Request('http://localhost/', init), cancelled };
}

test('a chunked body that is too large is read to its end, so that the connection lives on', async () => {
  const { request, cancelled } = chunked(6);
  await expect(readJson(request)).rejects.toThrow(BodyFault);
  expect(cancelled).not.toHaveBeenCalled();
});

test('a caller that hangs up in the middle is no fault of ours', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
  const init = { method: 'POST', body, duplex: 'half' };
  await expect(readJson(new Request('http://localhost/', init))).rejects.toThrow(BodyFault);
});

test('a chunked body without end is cut off', async () => {
  const { request, cancelled } = chunked(Number.POSITIVE_INFINITY);
  await expect(readJson(request)).rejects.toThrow(BodyFault);
  expect(cancelled).toHaveBeenCalled();
});

import { expect, test, vi } from 'vitest';
import { BodyFault, readJson } from '../../../lib/http/input/body.ts';

const MIB = 1024 * 1024;

// A body that is a stream wants `duplex`, which the types do not know.
const toRequest = (body: ReadableStream) =>
  new Request('http://localhost/', Object.assign({ method: 'POST', body }, { duplex: 'half' }));

/** A request whose body of so many MiB arrives in chunks, its length undeclared. */
function chunked(mebibytes: number) {
  const cancelled = vi.fn();
  let count = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (count === mebibytes) controller.close();
      else controller.enqueue(new Uint8Array(MIB).fill(32));
      count += 1;
    },
    cancel: cancelled,
  });
  return { request: toRequest(body), cancelled };
}

test.each([
  ['read to its end, so that the connection lives on', 6, false],
  ['cut off where it has no end', Number.POSITIVE_INFINITY, true],
])('a chunked body that is too large is %s', async (_, mebibytes, isCut) => {
  const { request, cancelled } = chunked(mebibytes);
  await expect(readJson(request)).rejects.toThrow(BodyFault);
  expect(cancelled.mock.calls.length > 0).toBe(isCut);
});

test('a caller that hangs up in the middle is no fault of ours', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
  await expect(readJson(toRequest(body))).rejects.toThrow(BodyFault);
});

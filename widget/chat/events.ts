/** The service's server-sent events, as it writes them: a line of name, a line of data, a blank one. */
export async function* readEvents(
  body: ReadableStream<BufferSource>,
): AsyncGenerator<[name: string, data: unknown]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = '', data] = /^event: (.+)\ndata: (.+)/.exec(block) ?? [];
      if (data) yield [name, JSON.parse(data)];
    }
  }
}

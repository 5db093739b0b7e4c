/** Tags of an HTML page from outside. */

export type Attributes = Readonly<Record<string, string>>;

/** What a page may hold of what is looked for. */
const MAX_TAGS = 500;

/**
 * The attributes of all tags `script` and `meta`, in order, outside comments and scripts. One pass: a hostile page costs
 * no more than its length.
 */
export function readTags(html: string): { name: 'script' | 'meta'; attributes: Attributes }[] {
  const tags: { name: 'script' | 'meta'; attributes: Attributes }[] = [];
  const start = /<!--|<(?:script|meta)(?=[\s/>])/gi;
  for (let found = start.exec(html); found && tags.length < MAX_TAGS; found = start.exec(html)) {
    if (found[0] === '<!--') {
      start.lastIndex = endAfter(html, '-->', start.lastIndex);
      continue;
    }
    const name = found[0].length === '<meta'.length ? 'meta' : 'script';
    const { attributes, end } = readAttributes(html, start.lastIndex);
    tags.push({ name, attributes });
    start.lastIndex = name === 'script' ? endAfter(html, '</script', end) : end;
  }
  return tags;
}

function endAfter(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from);
  return at < 0 ? html.length : at + text.length;
}

/** Up to the end of the tag. The first of several attributes of a name counts, as in browsers. */
function readAttributes(html: string, from: number): { attributes: Attributes; end: number } {
  const attributes: Record<string, string> = {};
  let at = from;
  const readUntil = (isEnd: (char: string) => boolean) => {
    const start = at;
    while (at < html.length && !isEnd(html.charAt(at))) at += 1;
    return html.slice(start, at);
  };
  while (at < html.length) {
    readUntil((char) => !isBlank(char) && char !== '/');
    if (at >= html.length || html.charAt(at) === '>') break;
    const name = readUntil((char) => isBlank(char) || '=>/'.includes(char)).toLowerCase();
    readUntil((char) => !isBlank(char));
    let value = '';
    if (html.charAt(at) === '=') {
      at += 1;
      readUntil((char) => !isBlank(char));
      const quote = html.charAt(at);
      if (quote === '"' || quote === "'") {
        at += 1;
        value = readUntil((char) => char === quote);
        at += 1;
      } else value = readUntil((char) => isBlank(char) || char === '>');
    }
    attributes[name] ??= value.replaceAll('&amp;', '&');
  }
  return { attributes, end: at + 1 };
}

const isBlank = (char: string) => /\s/.test(char);

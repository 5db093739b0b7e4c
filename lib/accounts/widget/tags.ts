/** Tags of an HTML page from outside. */

export type Attributes = Readonly<Record<string, string>>;

/** What a page may hold of what is looked for; what is beyond is passed over. */
const MAX_TAGS = 500;
const MAX_ATTRIBUTES = 50;
const MAX_VALUE = 16 * 1024;

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

const VISIBLE = /[^\s]/g;
const NAME_START = /[^\s/]/g;
const NAME_END = /[\s=>/]/g;
const UNQUOTED_END = /[\s>]/g;

/** Up to the end of the tag. The first of several attributes of a name counts, as in browsers. */
function readAttributes(html: string, from: number): { attributes: Attributes; end: number } {
  const attributes: Record<string, string> = {};
  let at = from;
  const readUntil = (end: RegExp) => {
    const start = at;
    end.lastIndex = at;
    at = end.exec(html)?.index ?? html.length;
    return html.slice(start, Math.min(at, start + MAX_VALUE));
  };
  const readValue = () => {
    at += 1;
    readUntil(VISIBLE);
    const quote = html.charAt(at);
    if (quote !== '"' && quote !== "'") return readUntil(UNQUOTED_END);
    const start = at + 1;
    const end = html.indexOf(quote, start);
    at = end < 0 ? html.length : end + 1;
    return html.slice(start, Math.min(end < 0 ? at : end, start + MAX_VALUE));
  };
  for (let read = 0; at < html.length; read += 1) {
    readUntil(NAME_START);
    if (at >= html.length || html.charAt(at) === '>') break;
    if (read === MAX_ATTRIBUTES) return { attributes, end: endAfter(html, '>', at) };
    const name = readUntil(NAME_END).toLowerCase();
    readUntil(VISIBLE);
    const value = html.charAt(at) === '=' ? readValue() : '';
    attributes[name] ??= value.replaceAll('&amp;', '&');
  }
  return { attributes, end: at + 1 };
}

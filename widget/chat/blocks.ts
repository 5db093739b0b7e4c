/** An answer's paragraphs and lists. Everything in them is text, whatever it looks like. */

export interface Block {
  kind: 'p' | 'ul' | 'ol';
  lines: string[];
}

const BULLET = /^\s*[-*•]\s+/;
const NUMBER = /^\s*\d{1,2}[.)]\s+/;

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.split('\n')) {
    const kind = BULLET.test(line) ? 'ul' : NUMBER.test(line) ? 'ol' : 'p';
    const words = (kind === 'p' ? line : line.replace(kind === 'ul' ? BULLET : NUMBER, '')).replaceAll(
      '**',
      '',
    );
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(words);
    else if (words.trim()) blocks.push({ kind, lines: [words] });
  }
  return blocks.map(({ kind, lines }) => ({ kind, lines: kind === 'p' ? [lines.join('\n').trim()] : lines }));
}

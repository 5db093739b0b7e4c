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
    const shown = (kind === 'p' ? line : line.replace(kind === 'ul' ? BULLET : NUMBER, '')).replaceAll(
      '**',
      '',
    );
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(shown);
    else if (shown.trim()) blocks.push({ kind, lines: [shown] });
  }
  return blocks.map(({ kind, lines }) => ({ kind, lines: kind === 'p' ? [lines.join('\n').trim()] : lines }));
}

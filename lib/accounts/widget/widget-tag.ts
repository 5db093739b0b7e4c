import type { Context } from '../../http/context.ts';

/** The line that a dealer's site needs. */
export function widgetTag({ publicUrl }: Context, dealer: string, key: string): string {
  return `<script async src="${publicUrl}/widget.js" data-dealer="${dealer}" data-key="${key}"></script>`;
}

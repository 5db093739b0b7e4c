import type { Context } from '../../services/context.ts';

/** The line that a dealer's site needs. */
export function widgetTag({ ports, origin }: Context, dealer: string, key: string): string {
  const address = ports.settings.publicUrl ?? origin;
  return `<script async src="${address}/widget.js" data-dealer="${dealer}" data-key="${key}"></script>`;
}

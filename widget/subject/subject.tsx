import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { WORDS } from './words.ts';

/** The truck that the enquiry is about, and a way to drop it. */
export const subject = ({ m, draw }: PanelContext) =>
  m.about && (
    <p class="subject">
      <i class="truck" />
      <span>{m.about.title}</span>
      <button
        type="button"
        class="icon"
        aria-label={kit.translate(WORDS)('forget')}
        onClick={() => {
          m.about = null;
          draw('.start');
        }}
      >
        {kit.icon('close')}
      </button>
    </p>
  );

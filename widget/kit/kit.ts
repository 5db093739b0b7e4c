import { stored } from '../panel/memory.ts';
import { hideChat, keep, show, wait } from '../panel/navigate.ts';
import { card, contact, draw, humanize, icon, photo, price, summary, trouble } from '../panel/parts.tsx';
import { asFault, timeLimit, toFault } from '../panel/requests.ts';
import { translate } from '../panel/translate.ts';
import { Fragment, jsx } from './jsx.ts';
import { addStyles } from './styles.ts';

/** What chunks use of the panel. A page may load newer chunks than its panel: only ever add. */
export const kit = {
  ...{ Fragment, jsx, stored, hideChat, keep, show, wait, addStyles, translate },
  ...{ card, humanize, photo, price, summary, contact, draw, icon, trouble, asFault, timeLimit, toFault },
} as const;
export type Kit = typeof kit;

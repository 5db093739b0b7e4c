import { recall, stored } from '../panel/memory.ts';
import { hideChat, keep, show, showTruck, wait } from '../panel/navigate.ts';
import { card, contact, draw, icon, photo, price, summary, toDialed, trouble } from '../panel/parts.tsx';
import { asFault, toFault } from '../panel/requests.ts';
import { translate } from '../panel/translate.ts';
import { findTrucks, readPage } from '../trucks/find.ts';
import { loadChunk } from './chunks.ts';
import { Fragment, jsx } from './jsx.ts';
import { addStyles } from './styles.ts';

/** What chunks use of the panel. A page may load newer chunks than its panel: only ever add. */
export const kit = {
  Fragment,
  jsx,
  recall,
  stored,
  hideChat,
  keep,
  show,
  wait,
  addStyles,
  translate,
  card,
  photo,
  price,
  summary,
  contact,
  draw,
  icon,
  toDialed,
  trouble,
  asFault,
  toFault,
  loadChunk,
  findTrucks,
  readPage,
  showTruck,
} as const;
export type Kit = typeof kit;

import type { Stage } from '../options.ts';
import type { Chunks } from './chunks.ts';
import type { Kit } from './kit.ts';
import type { Model } from './model.ts';
import type { Request } from './requests.ts';
import type { Tongue } from './tongue.ts';

/** What every view is drawn from, and every action changes. */
export interface Scene extends Tongue {
  m: Model;
  stage: Stage;
  data: DOMStringMap;
  /** Where relative addresses lead. */
  base: string;
  /** The members that name dealer and visitor in every call. */
  who: { dealerSlug: string; visitorId: string };
  request: Request;
  /** Shows the model; then moves the focus to the first element that matches. */
  draw(focus?: string): void;
  /** What chunks use of the panel. */
  kit: Kit;
  chunks: Partial<Chunks>;
  timers: Record<'typing' | 'waiting' | 'sending', ReturnType<typeof setTimeout> | undefined>;
}

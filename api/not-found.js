import { serve } from '../lib/http/serve.ts';

/** Stray paths: the envelope, not the platform's own page. */
export default serve();

import { getFeedRun } from '../../../../../lib/endpoints/feeds.ts';
import { serve } from '../../../../../lib/http/serve.ts';

export default serve(getFeedRun);

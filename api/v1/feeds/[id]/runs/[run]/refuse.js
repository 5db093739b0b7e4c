import { refuseFeedRun } from '../../../../../../lib/feeds/routes.ts';
import { serve } from '../../../../../../lib/http/serve.ts';

export default serve(refuseFeedRun);

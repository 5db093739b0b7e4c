import { getDealers, patchDealers, postDealers } from '../../../lib/endpoints/dealers.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getDealers, postDealers, patchDealers);

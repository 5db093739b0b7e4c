import { serve } from '../../../../lib/http/serve.ts';
import { getMarketComparables } from '../../../../lib/market/routes.ts';

export default serve(getMarketComparables);

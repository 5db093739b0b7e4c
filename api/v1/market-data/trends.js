import { serve } from '../../../lib/http/serve.ts';
import { getMarketTrends } from '../../../lib/market/routes.ts';

export default serve(getMarketTrends);

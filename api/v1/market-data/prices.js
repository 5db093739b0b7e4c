import { serve } from '../../../lib/http/serve.ts';
import { getMarketPrices } from '../../../lib/market/routes.ts';

export default serve(getMarketPrices);

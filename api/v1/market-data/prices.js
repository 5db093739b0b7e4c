import { getMarketPrices } from '../../../lib/endpoints/market.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getMarketPrices);

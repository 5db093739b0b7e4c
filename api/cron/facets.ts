import { cronFacets } from '../../lib/endpoints/search.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(cronFacets);

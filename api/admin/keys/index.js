import { getKeys, postKeys } from '../../../lib/endpoints/operator.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postKeys, getKeys);

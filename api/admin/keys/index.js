import { getKeys, postKeys } from '../../../lib/accounts/operator/routes.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postKeys, getKeys);

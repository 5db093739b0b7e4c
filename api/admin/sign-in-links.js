import { postSignInLinks } from '../../lib/endpoints/operator.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(postSignInLinks);

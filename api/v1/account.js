import { getOwnAccount } from '../../lib/accounts/routes.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(getOwnAccount);

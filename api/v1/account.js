import { getOwnAccount } from '../../lib/endpoints/account.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(getOwnAccount);

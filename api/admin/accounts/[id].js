import { getAccount, patchAccount } from '../../../lib/accounts/operator/routes.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getAccount, patchAccount);

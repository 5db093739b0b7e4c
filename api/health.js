import { getHealth } from '../lib/accounts/operator/platform.ts';
import { serve } from '../lib/http/serve.ts';

export default serve(getHealth);

import { getHealth } from '../lib/endpoints/platform.ts';
import { serve } from '../lib/http/serve.ts';

export default serve(getHealth);

import { getConfirmAddress, postConfirmAddress } from '../lib/endpoints/confirm-address.ts';
import { serve } from '../lib/http/serve.ts';

export default serve(getConfirmAddress, postConfirmAddress);

import { serve } from '../../lib/http/serve.ts';
import { getConfirmAddress, postConfirmAddress } from '../../lib/leads/routes/confirm-address.ts';

export default serve(getConfirmAddress, postConfirmAddress);

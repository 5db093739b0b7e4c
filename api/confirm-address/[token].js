import { getConfirmAddress, postConfirmAddress } from '../../lib/endpoints/mail-links/confirm-address.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(getConfirmAddress, postConfirmAddress);

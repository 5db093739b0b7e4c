import { deleteDealer, getDealer } from '../../../lib/accounts/dealers/routes.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getDealer, deleteDealer);

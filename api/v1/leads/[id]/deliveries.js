import { postLeadDeliveries } from '../../../../lib/endpoints/leads.ts';
import { serve } from '../../../../lib/http/serve.ts';

export default serve(postLeadDeliveries);

import { serve } from '../../../../lib/http/serve.ts';
import { postLeadDeliveries } from '../../../../lib/leads/routes/leads.ts';

export default serve(postLeadDeliveries);

import { serve } from '../../../lib/http/serve.ts';
import { deleteLead, getLead, patchLead } from '../../../lib/leads/routes/leads.ts';

export default serve(getLead, patchLead, deleteLead);

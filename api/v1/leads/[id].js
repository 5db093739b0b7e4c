import { deleteLead, getLead, patchLead } from '../../../lib/endpoints/leads.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getLead, patchLead, deleteLead);

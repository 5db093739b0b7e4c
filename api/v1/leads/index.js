import { serve } from '../../../lib/http/serve.ts';
import { getLeads } from '../../../lib/leads/routes/leads.ts';

export default serve(getLeads);

import { cronLeads } from '../../lib/endpoints/cron-jobs.ts';
import { serve } from '../../lib/http/serve.ts';

export default serve(cronLeads);

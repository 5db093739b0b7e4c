import { serve } from '../../../lib/http/serve.ts';
import { postWidgetLead } from '../../../lib/leads/routes/widget.ts';

export default serve(postWidgetLead);

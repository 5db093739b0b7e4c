import { postTestLead } from '../../../../lib/accounts/dealers/routes.ts';
import { serve } from '../../../../lib/http/serve.ts';

export default serve(postTestLead);

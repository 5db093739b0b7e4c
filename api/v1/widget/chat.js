import { postWidgetChat } from '../../../lib/chat/routes.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postWidgetChat);

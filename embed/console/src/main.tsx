import 'virtual:mantine.css';
import './shell/theme/base.css';
import { createRoot } from 'react-dom/client';
import { App } from '@shell/App';
import { startLanguage } from '@shell/language/i18n';
import { features } from './features';

await startLanguage();
sessionStorage.removeItem('svc.reloaded');
createRoot(document.getElementById('root')!).render(<App features={features} />);

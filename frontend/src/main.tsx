import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startTexts } from './app/i18n/i18n';
import './app/styles/fonts.css';
import './app/styles/base.css';
import { colorMode } from './shared/preferences/color-mode';
import { toast } from './shared/toast/toast-store';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

colorMode.start();
await startTexts();
toast.showCarried();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

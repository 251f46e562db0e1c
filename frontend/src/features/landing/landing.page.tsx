import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { startsWith } from '../../shared/drawn-page';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/plain/public-frame';
import { Audiences } from './components/audiences';
import { Closing } from './components/closing';
import { Comparison } from './components/comparison';
import { Features } from './components/features';
import { Figures } from './components/figures';
import { Hero } from './components/hero';
import { Questions } from './components/questions';
import { Tour } from './components/tour';
import './landing.css';

/** What the product is, for those who do not know it yet; shown to everybody at /home and to the signed-out at /. */
export function LandingPage() {
  const { t } = useTranslation('landing');
  const [touring, setTouring] = useState(() => startsWith('tour'));
  useTitle(t('headline'));
  // The browser gives the focus back by itself, but not to a page that has come in the place of a drawn one meanwhile.
  const endTour = () => {
    setTouring(false);
    document.querySelector<HTMLElement>('[data-starts="tour"]')?.focus();
  };
  return (
    <PublicFrame>
      <Hero onTour={() => setTouring(true)} />
      <Comparison />
      <Features />
      <Audiences />
      <Figures />
      <Questions />
      <Closing />
      {touring && <Tour onClose={endTour} />}
    </PublicFrame>
  );
}

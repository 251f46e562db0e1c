import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { consumeStartReason } from '../../shared/prerendered-page';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { Audiences } from './components/audiences';
import { ClosingCallToAction } from './components/closing-call-to-action';
import { Comparison } from './components/comparison';
import { Features } from './components/features';
import { InstallationStats } from './components/installation-stats';
import { Hero } from './components/hero';
import { LandingFaq } from './components/landing-faq';
import { Tour } from './components/tour';
import './landing.css';

/** The landing page; shown to everyone at /home and to signed-out visitors at /. */
export function LandingPage() {
  const { t } = useTranslation('landing');
  const [isTourOpen, setIsTourOpen] = useState(() => consumeStartReason('tour'));
  useTitle(t('headline'));
  // The browser restores focus itself, but not if the hydrated page has replaced the prerendered one in the meantime.
  const closeTour = () => {
    setIsTourOpen(false);
    document.querySelector<HTMLElement>('[data-starts="tour"]')?.focus();
  };
  return (
    <PublicFrame>
      <Hero onStartTour={() => setIsTourOpen(true)} />
      <Comparison />
      <Features />
      <Audiences />
      <InstallationStats />
      <LandingFaq />
      <ClosingCallToAction />
      {isTourOpen && <Tour onClose={closeTour} />}
    </PublicFrame>
  );
}

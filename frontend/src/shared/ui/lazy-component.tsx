import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { LoadError } from './load-error';

/**
 * A component that is loaded when it is first shown: a chart, the editor, a QR code. If it fails to load or to render,
 * only its own area shows an error.
 * @param load returns the component: `() => import('./qr-code').then((m) => m.QrCode)`
 * @param renderFallback rendered while loading
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  renderFallback: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  const createLazy = () =>
    lazy(() => load().then((component) => ({ default: component }))) as unknown as ComponentType<P>;
  // `lazy` caches a failure, so each retry creates a new one.
  let current = createLazy();
  return function LazyComponent(props: P) {
    const [{ LoadedComponent, attempt }, setState] = useState(() => ({ LoadedComponent: current, attempt: 0 }));
    const retry = () => {
      current = createLazy();
      setState({ LoadedComponent: current, attempt: attempt + 1 });
    };
    return (
      <ErrorBoundary key={attempt} fallback={<LoadError onRetry={retry} wasRetried={attempt > 0} />}>
        <Suspense fallback={renderFallback(props)}>
          <LoadedComponent {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  };
}

/** Renders the fallback if its children throw. */
class ErrorBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

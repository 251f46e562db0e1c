import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { LoadError } from './load-error';

/**
 * A part of a page that is loaded when it is first shown: a chart, the editor, the picture of a link. When it cannot be
 * loaded, or breaks, its own place says so and all else goes on.
 * @param load gives the component: `() => import('./qr-code').then((m) => m.QrCode)`
 * @param waiting what stands there meanwhile
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  renderFallback: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  const createLazy = () =>
    lazy(() => load().then((component) => ({ default: component }))) as unknown as ComponentType<P>;
  // A failure is remembered with what failed; each further try takes a new one.
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

/** Shows something else in the place of what could not be drawn. */
class ErrorBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

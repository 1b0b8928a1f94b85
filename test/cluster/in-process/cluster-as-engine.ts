import { type Engine, SHARED_UNIT } from '../../../actors/index.js';
import type { LocalCluster, LocalGateway } from './local-cluster.js';

/**
 * The part of an engine that tests use, answered by a whole cluster: commands and queries through the gateway's client, states by the unit
 * that has them.
 */
export function clusterAsEngine(cluster: LocalCluster, { here, client }: LocalGateway): Engine {
  const { world } = cluster.engine(SHARED_UNIT);
  const answers: Partial<Pick<Engine, keyof Engine>> = {
    world,
    execute: (command) => client.execute(command),
    query: (request) => client.query(request),
    tenants: () => here.tenants(),
    stateOf: (tenant, kind, id) => (kind === 'company' ? here : cluster.engineOf(id)).stateOf(tenant, kind, id),
    settled: () => cluster.settled(),
    snapshot: () => cluster.snapshot(),
    sweeper: {
      advance: (tenant: Parameters<LocalCluster['advance']>[0], until: number) => cluster.advance(tenant, until),
    } as Engine['sweeper'],
    mass: { idle: () => cluster.massIdle() } as Engine['mass'],
    close: () => cluster.close(),
  };
  return new Proxy(answers as Engine, {
    get(engine, name) {
      if (name in engine || typeof name === 'symbol' || name === 'then') return Reflect.get(engine, name) as unknown;
      throw new Error(`a test over a cluster asks for the engine's ${name}: there is no one engine`);
    },
  });
}

export { ANYWHERE, type PhoneArea, areaOfPhone, stateNamed, zonesOfState } from '../areas.js';
export * from './zip-zones.js';

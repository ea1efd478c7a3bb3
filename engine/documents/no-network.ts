/** Loaded before a parser, so that it can talk to no other process than the one that started it. */
import { Socket as Datagrams } from 'node:dgram';
import { Server, Socket } from 'node:net';

const refuse = (): never => {
  throw new Error('a parser has no network');
};

Socket.prototype.connect = refuse;
Server.prototype.listen = refuse;
Datagrams.prototype.bind = refuse;
Datagrams.prototype.send = refuse;
Datagrams.prototype.connect = refuse;
